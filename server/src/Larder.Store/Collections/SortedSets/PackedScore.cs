namespace Larder.Store.Collections;

/// <summary>
/// The encoding of a score in a packed element. If the score is an integer that is small enough, it is encoded as an integer of 1, 2 or 4 bytes. Otherwise, it
/// is encoded as the 8 bytes of the double.
/// </summary>
internal static unsafe class PackedScore
{
    /// <summary>The maximum number of bytes of an encoded score.</summary>
    public const int MaxBytes = sizeof(double);

    public static double Read(byte* at, int length) => length switch
    {
        MaxBytes => *(double*)at,
        sizeof(sbyte) => *(sbyte*)at,
        sizeof(short) => *(short*)at,
        _ => *(int*)at,
    };

    /// <summary>Writes a score in the shortest encoding. -0 is written as 0.</summary>
    /// <returns>The number of bytes written.</returns>
    public static int Write(byte* at, double score)
    {
        int whole = (int)score;
        if (!score.Equals(whole))
        {
            *(double*)at = score;
            return MaxBytes;
        }

        *(int*)at = whole;
        return whole == (sbyte)whole ? sizeof(sbyte) : whole == (short)whole ? sizeof(short) : sizeof(int);
    }
}
