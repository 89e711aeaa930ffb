#!/usr/bin/python3
"""frames.py SERIES OUT N: the first N slices of a folder of uncompressed CT slices as one multi-frame file for every transfer syntax
that dcmtk or gdcm can write: OUT/raw.dcm, rle.dcm, jpeg-lossless.dcm, jpeg-ls.dcm, jpeg-2000.dcm, and OUT/jpeg-baseline.dcm of the
same slices in 8 bits. Needs python3-pydicom, python3-numpy, dcmtk and libgdcm-tools."""
import glob
import os
import subprocess
import sys

import numpy as np
import pydicom
from pydicom.uid import ExplicitVRLittleEndian, MultiFrameGrayscaleByteSecondaryCaptureImageStorage, MultiFrameGrayscaleWordSecondaryCaptureImageStorage, generate_uid

series, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.makedirs(out, exist_ok=True)
slices = sorted((pydicom.dcmread(f) for f in glob.glob(os.path.join(series, "*"))), key=lambda d: float(d.ImagePositionPatient[2]))[:count]
stack = np.stack([d.pixel_array.astype(np.int32) for d in slices])


def write(name, samples, bits, sop):
    d = pydicom.dataset.FileDataset(name, {}, preamble=b"\0" * 128)
    d.file_meta = pydicom.dataset.FileMetaDataset()
    d.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    d.file_meta.MediaStorageSOPClassUID = d.SOPClassUID = sop
    d.file_meta.MediaStorageSOPInstanceUID = d.SOPInstanceUID = generate_uid(entropy_srcs=["peers", name])
    d.StudyInstanceUID = generate_uid(entropy_srcs=["peers", "study"])
    d.SeriesInstanceUID = generate_uid(entropy_srcs=["peers", "series", name])
    d.PatientName, d.PatientID, d.StudyID, d.Modality, d.ConversionType = "PEER^FRAMES", "PEER", "1", "OT", "WSD"
    d.StudyDate, d.StudyTime, d.AccessionNumber, d.SeriesNumber, d.InstanceNumber = "20200101", "120000", "", 1, 1
    d.SamplesPerPixel, d.PhotometricInterpretation, d.PixelRepresentation = 1, "MONOCHROME2", 0
    d.NumberOfFrames, d.Rows, d.Columns = samples.shape
    d.FrameIncrementPointer = 0x00181063
    d.FrameTime = "40"
    d.BitsAllocated, d.BitsStored, d.HighBit = (16, bits, bits - 1) if bits > 8 else (8, 8, 7)
    d.PixelData = samples.tobytes()
    d["PixelData"].VR = "OW" if bits > 8 else "OB"
    d.is_little_endian, d.is_implicit_VR = True, False
    d.save_as(os.path.join(out, name), write_like_original=False)


write("raw.dcm", np.clip(stack + 2048, 0, 4095).astype("<u2"), 12, MultiFrameGrayscaleWordSecondaryCaptureImageStorage)
write("raw8.dcm", np.clip((stack + 160) * 255 / 400, 0, 255).astype("u1"), 8, MultiFrameGrayscaleByteSecondaryCaptureImageStorage)
at = lambda name: os.path.join(out, name + ".dcm")
for command in (
    ["dcmcrle", at("raw"), at("rle")],
    ["dcmcjpeg", "+e1", at("raw"), at("jpeg-lossless")],
    ["dcmcjpls", "+el", at("raw"), at("jpeg-ls")],
    ["gdcmconv", "--j2k", at("raw"), at("jpeg-2000")],
    ["dcmcjpeg", "+eb", at("raw8"), at("jpeg-baseline")],
):
    subprocess.run(command, check=True)
os.remove(at("raw8"))
