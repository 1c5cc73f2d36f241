namespace Larder.Wire;

/// <summary>The answers of a server-streaming call. One at a time; not for use by several threads at once.</summary>
/// <typeparam name="T">The message.</typeparam>
public sealed class ResponseStream<T>
{
    private readonly ResponseFrames _frames;
    private readonly MessageCodec<T> _codec;

    internal ResponseStream(ResponseFrames frames, MessageCodec<T> codec)
    {
        _frames = frames;
        _codec = codec;
    }

    /// <summary>Sends a message at once, and waits while the reader is behind.</summary>
    /// <exception cref="OperationCanceledException">The caller is gone or the deadline has passed.</exception>
    public async ValueTask WriteAsync(T message)
    {
        await BufferAsync(message).ConfigureAwait(false);
        await _frames.FlushAsync().ConfigureAwait(false);
    }

    /// <summary>Adds a message that travels when 64 KB are gathered, with the next flush, or with the end of the call.</summary>
    /// <exception cref="OperationCanceledException">The caller is gone or the deadline has passed.</exception>
    public ValueTask BufferAsync(T message)
    {
        _codec.Encode(message, _frames.Message);
        return _frames.EndMessageAsync();
    }

    /// <summary>Sends what is gathered, or the response's headers alone.</summary>
    /// <exception cref="OperationCanceledException">The caller is gone or the deadline has passed.</exception>
    public ValueTask FlushAsync() => _frames.FlushAsync();
}
