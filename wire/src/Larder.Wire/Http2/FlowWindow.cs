namespace Larder.Wire.Http2;

/// <summary>Computes the flow-control windows that limit the data that may be sent to a peer (RFC 9113, section 6.9).</summary>
internal static class FlowWindow
{
    /// <summary>The initial size of every window, before settings and updates change the size (RFC 9113, section 6.9.2).</summary>
    public const int InitialBytes = 65_535;

    /// <summary>Returns the window after an update, or after the initial window size has changed. Both the change and the result may be negative.</summary>
    /// <param name="window">The window before the change, in bytes.</param>
    /// <param name="by">The change, in bytes.</param>
    /// <param name="streamId">The stream that the window belongs to; 0 for the connection.</param>
    /// <exception cref="Http2ConnectionException">The result is above the maximum window size.</exception>
    public static int Widened(long window, int by, int streamId)
    {
        long widened = window + by;
        return widened <= Http2Limits.LargestWindow ? (int)widened : throw TooLarge(streamId);
    }

    /// <summary>
    /// Computes a stream's window after an update. Returns false if the window would exceed the maximum size. This is an error of only that stream (RFC 9113,
    /// section 6.9.1).
    /// </summary>
    public static bool TryWiden(long window, int by, out int widened)
    {
        widened = (int)Math.Min(window + by, Http2Limits.LargestWindow);
        return window + by <= Http2Limits.LargestWindow;
    }

    private static Http2ConnectionException TooLarge(int streamId) =>
        Http2ConnectionException.FlowControl($"the flow-control window of {(streamId == 0 ? "the connection" : $"stream {streamId}")} exceeds 2^31-1");
}
