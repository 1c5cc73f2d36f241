namespace Larder.Wire;

/// <summary>The output of one stream. It is read when the connection can send, so a slow peer does not fill the connection's buffer.</summary>
public interface IOutputSource
{
    /// <summary>
    /// Copies the next bytes to send: consecutive messages with their five-byte headers. A message may be split between calls. It is called under the
    /// connection's lock, by any thread that sends; it must neither block nor call the stream.
    /// </summary>
    /// <param name="room">The destination: at least 1 byte.</param>
    /// <returns>The number of bytes copied. If it is less than the length of <paramref name="room"/>, there are no more bytes until the stream is
    /// signalled.</returns>
    int Read(Span<byte> room);
}
