namespace Larder.Wire;

/// <summary>What one stream sends, asked for when its connection can take some: so a peer that is slow fills no buffer of the connection's.</summary>
public interface IOutputSource
{
    /// <summary>
    /// Copies what is to be sent next: messages with their five bytes of header, one after another; a message may be begun here and go on with the next call.
    /// Called under the connection's lock, by whatever thread sends: it neither blocks nor calls the stream.
    /// </summary>
    /// <param name="room">Where to; 1 byte or more.</param>
    /// <returns>Bytes copied; fewer than the room: there is no more until the stream is signalled.</returns>
    int Read(Span<byte> room);
}
