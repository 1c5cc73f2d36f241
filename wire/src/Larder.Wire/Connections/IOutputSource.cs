namespace Larder.Wire;

/// <summary>The output of one stream. The connection reads the output only when it can send, so a slow peer does not fill the connection's buffer.</summary>
public interface IOutputSource
{
    /// <summary>
    /// Copies the next bytes to send: consecutive messages with their five-byte headers. A message may be split between calls. Any thread that sends may call
    /// this method, under the connection's lock. The method must neither block nor call the stream.
    /// </summary>
    /// <param name="room">The destination, with space for at least 1 byte.</param>
    /// <returns>
    /// The number of bytes copied. If it is less than the length of <paramref name="room"/>, there are no more bytes until the stream is signalled.
    /// </returns>
    int Read(Span<byte> room);
}
