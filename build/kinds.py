#!/usr/bin/python3
"""Makes a dataset with one case of every kind of picture that a viewer gets wrong, for looking at them in the real window.

kinds.py SHARED OUT

SHARED is the folder of test files beside the repository: the CT, the tilted head and the film are real, from there. What it
lacks is invented here: a colour ultrasound clip with frame times and a calibrated region (baseline JPEG, YBR), and an enhanced
MR whose frames lie sagittally, have a window each, and come at two b values. Same files in every run. Needs pydicom, numpy,
gdcmconv and dcmcjpeg.
"""
import glob, json, os, shutil, struct, subprocess, sys, zlib
import numpy as np, pydicom
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

shared, out = sys.argv[1], sys.argv[2]
images = os.path.join(out, "images")
os.makedirs(images, exist_ok=True)
rng = np.random.default_rng(7)
uid = lambda *parts: generate_uid(prefix="1.2.826.0.1.3680043.10.999.", entropy_srcs=["kinds", *parts])
run = lambda *words: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def head(name, sop, modality, description):
    d = Dataset()
    d.file_meta = FileMetaDataset()
    d.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    d.file_meta.MediaStorageSOPClassUID = d.SOPClassUID = sop
    d.file_meta.MediaStorageSOPInstanceUID = d.SOPInstanceUID = uid(name, "instance")
    d.StudyInstanceUID, d.SeriesInstanceUID = uid(name, "study"), uid(name, "series")
    d.PatientName, d.PatientID = "SYNTHETIC^" + name.upper(), "SYN-" + name
    d.Modality, d.SeriesDescription, d.InstanceNumber = modality, description, 1
    return d


def pixels(d, array, bits, signed=0, photometric="MONOCHROME2"):
    d.SamplesPerPixel = 3 if photometric != "MONOCHROME2" else 1
    d.PhotometricInterpretation = photometric
    if d.SamplesPerPixel == 3:
        d.PlanarConfiguration = 0
    d.NumberOfFrames, d.Rows, d.Columns = array.shape[:3]
    d.BitsAllocated = 8 if array.dtype.itemsize == 1 else 16
    d.BitsStored, d.HighBit, d.PixelRepresentation = bits, bits - 1, signed
    d.PixelData = array.tobytes()


def save(d, path):
    d.save_as(path, implicit_vr=False, little_endian=True, enforce_file_format=True) if pydicom.__version__ >= "3" else (
        setattr(d, "is_little_endian", True), setattr(d, "is_implicit_VR", False), d.save_as(path, write_like_original=False))


def ultrasound(path, frames=48, rows=480, columns=640):
    """A sector of speckle with a beating vessel whose flow is coloured by its direction, the colour bar beside it."""
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    depth, angle = np.hypot(x - columns / 2, y - 16), np.arctan2(x - columns / 2, y - 16)
    sector = (np.abs(angle) < 0.62) & (depth > 40) & (depth < 430)
    grain = rng.rayleigh(1, (rows, columns)).astype(np.float32)
    for _ in range(2):
        grain = (grain + np.roll(grain, 1, 1) + np.roll(grain, -1, 1) + np.roll(grain, 1, 0)) / 4
    layers = 60 + 30 * np.sin(depth / 21) + 18 * np.sin(angle * 9 + depth / 37)
    tissue = layers * grain * np.exp(-depth / 600)
    clip = np.zeros((frames, rows, columns, 3), np.uint8)
    for n in range(frames):
        beat = 1 + 0.22 * np.sin(2 * np.pi * n / 24)
        axis = 230 + 22 * np.sin(x / 70)
        across = (y - axis) / (26 * beat)
        vessel, wall = np.abs(across) < 1, (np.abs(across) >= 1) & (np.abs(across) < 1.3)
        grey = np.where(vessel, 6 * grain, np.where(wall, 150 * grain, tissue))
        rgb = np.repeat(np.clip(grey, 0, 255)[..., None], 3, 2)
        box = (np.abs(x - columns / 2) < 130) & (np.abs(y - 235) < 75)
        speed = (1 - across**2) * np.sin(2 * np.pi * n / 24 + 0.4) * np.where(x < columns / 2, 1, -0.8)
        flow = vessel & box & (np.abs(speed) > 0.12)
        rgb[flow & (speed > 0)] = np.stack([90 + 165 * speed, 160 * np.clip(speed, 0, 1) ** 2, 0 * speed], -1)[flow & (speed > 0)]
        rgb[flow & (speed <= 0)] = np.stack([0 * speed, 150 * speed**2, 90 - 165 * speed], -1)[flow & (speed <= 0)]
        rgb[~sector] = 0
        edge = box & ((np.abs(x - columns / 2) > 128) | (np.abs(y - 235) > 73)) & sector
        rgb[edge] = (0, 190, 90)
        for k in range(120):
            t = 1 - k / 60
            colour = (90 + 165 * t, 160 * t * t, 0) if t > 0 else (0, 150 * t * t, 90 - 165 * t)
            rgb[40 + k, 600:616] = colour
        clip[n] = np.clip(rgb, 0, 255).astype(np.uint8)
    d = head("us", "1.2.840.10008.5.1.4.1.1.3.1", "US", "Carotid, colour Doppler")
    d.FrameTime, d.CineRate, d.FrameIncrementPointer = "33.3", 30, 0x00181063
    region = Dataset()
    region.RegionSpatialFormat, region.RegionDataType, region.RegionFlags = 1, 1, 0
    region.RegionLocationMinX0, region.RegionLocationMinY0, region.RegionLocationMaxX1, region.RegionLocationMaxY1 = 0, 0, columns - 1, rows - 1
    region.PhysicalUnitsXDirection = region.PhysicalUnitsYDirection = 3
    region.PhysicalDeltaX = region.PhysicalDeltaY = 0.0095
    d.SequenceOfUltrasoundRegions = [region]
    pixels(d, clip, 8, photometric="RGB")
    save(d, path + ".raw")
    run("dcmcjpeg", "+eb", "+q", "88", path + ".raw", path)
    os.remove(path + ".raw")


def magnetic(path, positions=24, rows=256, columns=256):
    """A head of ellipsoids, sagittal, at b 0 and b 1000; each frame has its own window."""
    a = (np.arange(columns) - columns / 2) * 0.9  # to the back
    f = (np.arange(rows) - rows / 2) * 0.9  # to the feet
    A, F = np.meshgrid(a, f)
    grain = rng.normal(0, 1, (2, positions, rows, columns))
    d = head("mr", "1.2.840.10008.5.1.4.1.1.4.1", "MR", "Enhanced MR, sagittal, two b values")
    d.FrameOfReferenceUID, d.ImageType = uid("mr", "space"), ["ORIGINAL", "PRIMARY", "DIFFUSION", "NONE"]
    frames, groups = [], []
    for k in range(positions):
        s = (k - (positions - 1) / 2) * 5.5
        inside = lambda ca, cf, cs, ra, rf, rs: ((A - ca) / ra) ** 2 + ((F - cf) / rf) ** 2 + ((s - cs) / rs) ** 2 < 1
        for b in (0, 1000):
            v = np.zeros((rows, columns))
            v[inside(0, 0, 0, 92, 88, 72)] = 900 if b == 0 else 40  # scalp
            v[inside(0, 0, 0, 86, 82, 67)] = 60 if b == 0 else 20  # skull
            v[inside(0, -4, 0, 80, 72, 62)] = 1500 if b == 0 else 60  # liquor
            v[inside(0, -6, 0, 76, 67, 59)] = 780 if b == 0 else 420  # cortex
            folds = np.sin(A / 4.1 + np.sin(F / 6)) + np.sin(F / 4.7 + s / 8)
            v[inside(0, -6, 0, 70, 60, 53)] += (60 * folds)[inside(0, -6, 0, 70, 60, 53)]
            v[inside(0, -8, 0, 60, 46, 46)] = 620 if b == 0 else 380  # white matter
            v[inside(8, -12, np.sign(s) * 11, 34, 12, 8)] = 1500 if b == 0 else 60  # ventricles
            v[inside(38, 44, 0, 28, 20, 44)] = 700 if b == 0 else 400  # cerebellum
            v[inside(8, 48, 0, 11, 42, 12)] = 660 if b == 0 else 390  # brain stem
            v[inside(-22, -20, 26, 13, 11, 12)] = 820 if b == 0 else 900  # a fresh infarct on the left
            v = v + grain[b // 1000, k] * 16
            frames.append(np.clip(v, 0, 4095).astype("<u2"))
            g, place, plane, order, voi, diffusion = (Dataset() for _ in range(6))
            place.ImagePositionPatient = [s, float(a[0]), float(-f[0])]
            plane.ImageOrientationPatient = [0, 1, 0, 0, 0, -1]
            order.StackID, order.InStackPositionNumber, order.DimensionIndexValues = "1", k + 1, [b // 1000 + 1, k + 1]
            voi.WindowCenter, voi.WindowWidth = (700, 1400) if b == 0 else (400, 900)
            voi.WindowCenterWidthExplanation = "b %d" % b
            diffusion.DiffusionBValue = float(b)
            diffusion.DiffusionDirectionality = "NONE"
            g.PlanePositionSequence, g.PlaneOrientationSequence, g.FrameContentSequence = [place], [plane], [order]
            g.FrameVOILUTSequence, g.MRDiffusionSequence = [voi], [diffusion]
            groups.append(g)
    common, measure, values = Dataset(), Dataset(), Dataset()
    measure.PixelSpacing, measure.SliceThickness, measure.SpacingBetweenSlices = [0.9, 0.9], 5, 5.5
    values.RescaleIntercept, values.RescaleSlope, values.RescaleType = 0, 1, "US"
    common.PixelMeasuresSequence, common.PixelValueTransformationSequence = [measure], [values]
    d.SharedFunctionalGroupsSequence, d.PerFrameFunctionalGroupsSequence = [common], groups
    pixels(d, np.stack(frames), 12)
    save(d, path)


def png16(path, source):
    """A slice as a PNG of 16-bit greys: its values from 0, most of them far below 65535."""
    raw = os.path.join(out, "slice.dcm")
    run("gdcmconv", "--raw", source, raw)
    d = pydicom.dcmread(raw)
    os.remove(raw)
    v = np.frombuffer(d.PixelData, "<i2").reshape(d.Rows, d.Columns).astype(int)
    v = np.clip(v + 1024, 0, 4095).astype(">u2")
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\0" + row.tobytes() for row in v)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", d.Columns, d.Rows, 16, 0, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def copy(name, files):
    os.makedirs(os.path.join(images, name), exist_ok=True)
    for f in files:
        shutil.copy(f, os.path.join(images, name))


volume = os.path.join(shared, "dicom/volumes/ct_ge_28_jls")
series = os.path.join(out, "series")
run(sys.executable, os.path.join(shared, "tools/peer-ohif/make_series.py"), volume, series, "--frames", "200")
copy("ct", glob.glob(os.path.join(series, "jls", "*.dcm")))
shutil.rmtree(series)
head_slices = sorted(glob.glob(os.path.join(volume, "*.dcm")), key=lambda f: float(pydicom.dcmread(f, stop_before_pixels=True).ImagePositionPatient[2]))
copy("tilted", head_slices[14:])  # the upper part, evenly spaced; the whole has two spacings
copy("gaps", head_slices)
shutil.copy(os.path.join(shared, "dicom/files/pydicom-data__RG3_J2KR.dcm"), os.path.join(images, "film.dcm"))
ultrasound(os.path.join(images, "us.dcm"))
magnetic(os.path.join(images, "mr.dcm"))
png16(os.path.join(images, "grey16.png"), head_slices[20])

kinds = [("ct", "images/ct", "volume", "CT"), ("us", "images/us.dcm", "frames", "US"), ("film", "images/film.dcm", "image", "CR"),
         ("mr", "images/mr.dcm", "volume", "MR"), ("tilted", "images/tilted", "volume", "CT"), ("gaps", "images/gaps", "volume", "CT"),
         ("grey16", "images/grey16.png", "image", "OT")]
case = lambda id, images: json.dumps({"schema": "plumbline/case/1", "id": id, "images": images, "language": "en", "questions": []})
image = lambda id, path, kind, modality: {"id": id, "path": path, "kind": kind, "modality": modality}
with open(os.path.join(out, "dataset.json"), "w") as file:
    json.dump({"schema": "plumbline/dataset/1", "name": "kinds of picture"}, file)
with open(os.path.join(out, "cases.jsonl"), "w") as file:
    for k in kinds:
        file.write(case(k[0], [image(*k)]) + "\n")
    file.write(case("together", [image(*kinds[i]) for i in (0, 1, 2, 6)]) + "\n")
