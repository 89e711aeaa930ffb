package export

import "plumbline/backend/dcm"

// DICOMImage is an image of a case as its DICOM files call themselves.
type DICOMImage struct{ Headers []dcm.Header }

func dicomFormats() []Format { return nil }
