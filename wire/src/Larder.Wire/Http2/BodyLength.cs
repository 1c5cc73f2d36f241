namespace Larder.Wire.Http2;

/// <summary>How long a body is by its <c>content-length</c>, and whether it keeps to that: RFC 9113, 8.1.1.</summary>
internal static class BodyLength
{
    /// <summary>The headers do not say.</summary>
    public const int Untold = -1;

    /// <summary>Takes what one more field says. False where that is no length, or another than before: the headers are malformed.</summary>
    public static bool TryTell(ref int told, int length)
    {
        bool agrees = length >= 0 && (told == Untold || told == length);
        told = length;
        return agrees;
    }

    /// <summary>False where more has arrived than was told, or, at the body's end, less.</summary>
    public static bool IsKept(int told, long received, bool isEnd) => told < 0 || (isEnd ? received == told : received <= told);
}
