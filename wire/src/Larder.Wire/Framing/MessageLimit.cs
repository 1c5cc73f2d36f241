namespace Larder.Wire;

/// <summary>The size limit of messages, and the error status for a message that exceeds it. Used by server and client.</summary>
internal static class MessageLimit
{
    /// <summary>The default limit of a message's size: 10.5 MB, a little more than twice the largest item.</summary>
    public const int DefaultBytes = 11_010_048;

    /// <summary>Returns a RESOURCE_EXHAUSTED status whose message contains the limit.</summary>
    public static Status Exceeded(int limitBytes) =>
        new(StatusCode.ResourceExhausted, $"The message exceeds the request limit of {limitBytes} bytes.");
}
