namespace Larder.Wire;

/// <summary>What is said of a message over the limit, by server and client.</summary>
internal static class MessageLimit
{
    /// <summary>Sizes accepted unless told otherwise: 10.5 MB, twice the largest item and some.</summary>
    public const int DefaultBytes = 11_010_048;

    /// <summary>RESOURCE_EXHAUSTED naming the limit.</summary>
    public static Status Exceeded(int limitBytes) =>
        new(StatusCode.ResourceExhausted, $"The message is over the request limit of {limitBytes} bytes.");
}
