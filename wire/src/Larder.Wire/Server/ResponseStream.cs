namespace Larder.Wire;

/// <summary>Writes the responses of a server-streaming call. Not thread-safe.</summary>
/// <typeparam name="T">The type of the messages.</typeparam>
public sealed class ResponseStream<T>
{
    private readonly ResponseFrames _frames;
    private readonly MessageCodec<T> _codec;

    internal ResponseStream(ResponseFrames frames, MessageCodec<T> codec)
    {
        _frames = frames;
        _codec = codec;
    }

    /// <summary>Sends a message immediately and waits while the client is slow.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected or the deadline has passed.</exception>
    public async ValueTask WriteAsync(T message)
    {
        await BufferAsync(message).ConfigureAwait(false);
        await _frames.FlushAsync().ConfigureAwait(false);
    }

    /// <summary>Adds a message. The message is sent when 64 KB have accumulated, at the next flush, or when the call ends.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected or the deadline has passed.</exception>
    public ValueTask BufferAsync(T message)
    {
        _codec.Encode(message, _frames.Message);
        return _frames.EndMessageAsync();
    }

    /// <summary>Sends the response headers, if they have not been sent yet, and the accumulated messages. Waits while the client is slow.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected or the deadline has passed.</exception>
    public ValueTask FlushAsync() => _frames.FlushAsync();
}
