package dcm

// dictionary gives the value representation of every attribute that is kept from a header, for implicit files. Nothing else is kept.
var dictionary = map[tag]string{
	tagRecords: "SQ", tagReferencedFile: "CS",
	tagCharacterSet: "CS", tagImageType: "CS", tagSOPClass: "UI", tagInstanceUID: "UI", tagStudyDate: "DA", tagAcquisitionTime: "TM",
	tagModality: "CS", tagStudyDescription: "LO", tagSeriesDescription: "LO", tagManufacturer: "LO",
	tagOwner: "LO", tagTurn: "US", tagPatientName: "PN", tagPatientID: "LO", tagPatientSex: "CS", tagPatientAge: "AS",
	tagEchoTime: "DS", tagFrameTime: "DS", tagTriggerTime: "DS", tagImagerSpacing: "DS", tagNominalSpacing: "DS",
	tagUltrasoundRegions: "SQ", tagUnitsX: "US", tagUnitsY: "US", tagDeltaX: "FD", tagDeltaY: "FD",
	tagStudyUID: "UI", tagSeriesUID: "UI", tagSeriesNumber: "IS", tagAcquisitionNumber: "IS", tagInstanceNumber: "IS",
	tagPatientOrientation: "CS", tagPosition: "DS", tagOrientation: "DS", tagFrameOfReference: "UI", tagTemporalPosition: "IS",
	tagPlanePosition: "SQ", tagPlaneOrientation: "SQ",
	tagEffectiveEchoTime: "FD", tagBValue: "FD", tagEchoSequence: "SQ", tagDiffusion: "SQ", tagCardiac: "SQ",
	tagStackID: "SH", tagFrameContent: "SQ", tagTemporalIndex: "UL", tagCardiacDelay: "FD", tagFrameAcquisition: "US",
	tagSamples: "US", tagPhotometric: "CS", tagPlanar: "US", tagNumberOfFrames: "IS", tagRows: "US", tagColumns: "US",
	tagPixelSpacing: "DS", tagPixelAspect: "IS", tagBitsAllocated: "US", tagBitsStored: "US", tagHighBit: "US", tagPixelRepresentation: "US",
	tagPadding: "US", tagPaddingLimit: "US", tagBurnedIn: "CS",
	tagWindowCenter: "DS", tagWindowWidth: "DS", tagIntercept: "DS", tagSlope: "DS", tagRescaleType: "LO", tagWindowExplanation: "LO",
	tagVOIFunction: "CS", tagRedDescriptor: "US", tagGreenDescriptor: "US", tagBlueDescriptor: "US",
	tagRedData: "OW", tagGreenData: "OW", tagBlueData: "OW", tagRedSegmented: "OW", tagGreenSegmented: "OW", tagBlueSegmented: "OW",
	tagLossy: "CS", tagModalityLUT: "SQ", tagLUTDescriptor: "US", tagLUTExplanation: "LO", tagModalityLUTType: "LO", tagLUTData: "OW",
	tagVOILUT: "SQ", tagPixelMeasures: "SQ", tagFrameVOI: "SQ", tagPixelTransformation: "SQ", tagPresentationLUTShape: "CS",
	tagUnits: "CS", tagGridOffsets: "DS", tagDoseScaling: "DS", tagSharedGroups: "SQ", tagPerFrameGroups: "SQ",
}

// isTable tells the attributes whose value is a lookup table: up to 65,536 words, never given to the library.
func isTable(t tag) bool {
	switch t {
	case tagRedData, tagGreenData, tagBlueData, tagRedSegmented, tagGreenSegmented, tagBlueSegmented, tagLUTData:
		return true
	}
	return false
}

// longForm tells the value representations whose length has 32 bits (PS3.5 section 7.1.2).
func longForm(vr string) bool {
	switch vr {
	case "OB", "OW", "OF", "OD", "OL", "OV", "SQ", "UN", "UC", "UR", "UT", "SV", "UV":
		return true
	}
	return false
}
