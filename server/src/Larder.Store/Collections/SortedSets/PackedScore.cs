namespace Larder.Store.Collections;

/// <summary>A score as it stands in a block: where it is whole and small an integer of 1, 2 or 4 bytes, else the double's 8.</summary>
internal static unsafe class PackedScore
{
    /// <summary>Bytes of the longest.</summary>
    public const int MostBytes = sizeof(double);

    public static double Read(byte* at, int length) => length switch
    {
        MostBytes => *(double*)at,
        sizeof(sbyte) => *(sbyte*)at,
        sizeof(short) => *(short*)at,
        _ => *(int*)at,
    };

    /// <summary>Writes a score, of which -0 is 0, as short as it goes.</summary>
    /// <returns>Its bytes.</returns>
    public static int Write(byte* at, double score)
    {
        int whole = (int)score;
        if (!score.Equals(whole))
        {
            *(double*)at = score;
            return MostBytes;
        }

        *(int*)at = whole;
        return whole == (sbyte)whole ? sizeof(sbyte) : whole == (short)whole ? sizeof(short) : sizeof(int);
    }
}
