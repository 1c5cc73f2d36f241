using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// The answers of a server-streaming call, in bytes: write a message into <see cref="Message"/>, end it, and flush when they should travel.
/// One at a time; not for use by several threads at once.
/// </summary>
public sealed class ResponseFrames
{
    // What may wait unflushed: past it EndMessageAsync flushes, and so waits for a slow reader.
    private const int MaxUnflushedBytes = 64 * 1024;

    private readonly RpcContext _call;
    private readonly StreamOutput _output;

    internal ResponseFrames(RpcContext call)
    {
        _call = call;
        _output = call.Output;
        call.Writer.Attach(_output);
    }

    /// <summary>Takes the bytes of the present message.</summary>
    public IBufferWriter<byte> Message => _call.Writer;

    /// <summary>Ends the present message. It travels when 64 KB are gathered, with the next flush, or with the end of the call.</summary>
    public ValueTask EndMessageAsync()
    {
        _call.EndMessage();
        return _output.UnflushedBytes < MaxUnflushedBytes ? default : FlushAsync();
    }

    /// <summary>
    /// Waits while the connection has many bytes that its reader does not take: before a message that may be large, so that it waits where it comes from, not
    /// in a buffer.
    /// </summary>
    public ValueTask WaitForRoomAsync()
    {
        if (_call.Stream.HasRoom)
        {
            return default;
        }

        RoomSignal signal = new();
        _call.Stream.WaitForRoom(signal);
        return new ValueTask(signal.Task);
    }

    /// <summary>Sends what is gathered, or the response's headers alone, and waits while the reader is behind.</summary>
    /// <exception cref="OperationCanceledException">The caller is gone or the deadline has passed.</exception>
    public ValueTask FlushAsync() => OutputFlush.FlushAsync(_output, _call);
}
