package formats

// What a file may hold. A picture lies in its file until it is shown and is not counted here.
const (
	maxRows     = 2_000_000 // records of a file
	maxRecord   = 16 << 20  // bytes of a record without its pictures: review.MaxRecord
	maxTableRow = 128 << 20 // bytes of a row of a table, with its picture
	maxPicture  = 64 << 20  // bytes of a picture inside a file
	maxInflated = 1 << 30   // bytes of an .eval or .xlsx file, inflated
	maxMembers  = 200_000   // files in one
	maxOptions  = 40
	maxSteps    = 400     // of an answer
	maxText     = 1 << 20 // bytes of a text that is shown
	maxBoxes    = 64      // of a step
	maxListed   = 500_000 // files among which a picture is looked for
)
