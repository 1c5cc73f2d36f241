namespace Larder.Client.Operations;

/// <summary>Gathers the messages of one answer stream into one response.</summary>
internal interface IAnswerCollector<out TResponse>
{
    /// <summary>Takes the next message. Throws <see cref="FormatException"/> where the bytes are none, or there are too many.</summary>
    void Add(ReadOnlySpan<byte> payload);

    /// <summary>The response. Throws <see cref="FormatException"/> where messages are missing.</summary>
    TResponse Finish();
}
