namespace Larder.Wire.Http2;

/// <summary>The length of a body according to <c>content-length</c>, and the check that the body matches it: RFC 9113, 8.1.1.</summary>
internal static class BodyLength
{
    /// <summary>The headers contain no <c>content-length</c>.</summary>
    public const int Unannounced = -1;

    /// <summary>
    /// Records the value of a <c>content-length</c> field. Returns false if it is not a valid length or differs from an earlier one: the headers are
    /// malformed.
    /// </summary>
    public static bool TryAnnounce(ref int told, int length)
    {
        bool agrees = length >= 0 && (told == Unannounced || told == length);
        told = length;
        return agrees;
    }

    /// <summary>Returns false if more bytes than declared have arrived or if, at the end of the body, fewer have.</summary>
    public static bool IsKept(int told, long received, bool isEnd) => told < 0 || (isEnd ? received == told : received <= told);
}
