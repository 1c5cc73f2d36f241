namespace Larder.Wire.Http2;

/// <summary>Checks that the length of a body matches the value of <c>content-length</c> (RFC 9113, section 8.1.1).</summary>
internal static class BodyLength
{
    /// <summary>The value if the headers contain no <c>content-length</c>.</summary>
    public const int Unannounced = -1;

    /// <summary>
    /// Records the value of a <c>content-length</c> field. Returns false if the value is invalid or differs from an earlier value. The headers are then
    /// malformed.
    /// </summary>
    public static bool TryAnnounce(ref int told, int length)
    {
        bool agrees = length >= 0 && (told == Unannounced || told == length);
        told = length;
        return agrees;
    }

    /// <summary>
    /// Returns whether the number of received bytes is allowed. It must not exceed the declared length, and must equal the declared length at the end of the
    /// body.
    /// </summary>
    public static bool IsKept(int told, long received, bool isEnd) => told < 0 || (isEnd ? received == told : received <= told);
}
