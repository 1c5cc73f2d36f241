namespace Larder.Client.Operations;

/// <summary>Collects the messages of one response stream into one response.</summary>
internal interface IAnswerCollector<out TResponse>
{
    /// <summary>Adds the next message. Throws <see cref="FormatException"/> if the bytes are malformed or more messages arrive than expected.</summary>
    void Add(ReadOnlySpan<byte> payload);

    /// <summary>Returns the response. Throws <see cref="FormatException"/> if messages are missing.</summary>
    TResponse Finish();
}
