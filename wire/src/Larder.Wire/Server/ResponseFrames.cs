using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Writes the responses of a server-streaming call as bytes. To send a message, write it to <see cref="Message"/>, end it, and flush. Not thread-safe.
/// </summary>
public sealed class ResponseFrames
{
    // The maximum number of unflushed bytes. Above this number, EndMessageAsync flushes, and therefore waits for a slow client.
    private const int MaxUnflushedBytes = 64 * 1024;

    private readonly RpcContext _call;
    private readonly StreamOutput _output;

    internal ResponseFrames(RpcContext call)
    {
        _call = call;
        _output = call.Output;
        call.Writer.Attach(_output);
    }

    /// <summary>Gets the writer for the current message.</summary>
    public IBufferWriter<byte> Message => _call.Writer;

    /// <summary>Ends the current message. The message is sent when 64 KB have accumulated, at the next flush, or when the call ends.</summary>
    public ValueTask EndMessageAsync()
    {
        _call.EndMessage();
        return _output.UnflushedBytes < MaxUnflushedBytes ? default : FlushAsync();
    }

    /// <summary>
    /// Waits while the connection has too many unsent bytes. Call this method before you create a message that may be large, so that its data does not have to
    /// be buffered.
    /// </summary>
    public ValueTask WaitForRoomAsync()
    {
        if (_call.Stream.HasRoom)
        {
            return default;
        }

        BufferSpaceSignal signal = new();
        _call.Stream.WaitForBufferSpace(signal);
        return new ValueTask(signal.Task);
    }

    /// <summary>Sends the response headers, if they have not been sent yet, and the accumulated messages. Waits while the client is slow.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected or the deadline has passed.</exception>
    public ValueTask FlushAsync() => OutputFlush.FlushAsync(_output, _call);
}
