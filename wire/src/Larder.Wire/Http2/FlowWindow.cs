namespace Larder.Wire.Http2;

/// <summary>The arithmetic of the windows that a peer lets us send into: RFC 9113, 6.9.</summary>
internal static class FlowWindow
{
    /// <summary>What every window is before settings and updates change it: RFC 9113, 6.9.2.</summary>
    public const int InitialBytes = 65_535;

    /// <summary>
    /// A window after an update, or after the initial window has changed by as much, which may be less than nothing and may leave less than nothing.
    /// </summary>
    /// <param name="window">What it was, in bytes.</param>
    /// <param name="by">How much wider it becomes, in bytes.</param>
    /// <param name="streamId">Whose it is; 0 for the connection's.</param>
    /// <exception cref="Http2ConnectionException">It would be over the largest there is.</exception>
    public static int Widened(long window, int by, int streamId)
    {
        long widened = window + by;
        return widened <= Http2Limits.LargestWindow ? (int)widened : throw TooLarge(streamId);
    }

    /// <summary>
    /// A stream's window after an update. False where it would be over the largest there is: an error of that stream alone (RFC 9113, 6.9.1).
    /// </summary>
    public static bool TryWiden(long window, int by, out int widened)
    {
        widened = (int)Math.Min(window + by, Http2Limits.LargestWindow);
        return window + by <= Http2Limits.LargestWindow;
    }

    private static Http2ConnectionException TooLarge(int streamId) =>
        Http2ConnectionException.FlowControl(streamId == 0 ? "the connection's window is over 2^31-1" : $"the window of stream {streamId} is over 2^31-1");
}
