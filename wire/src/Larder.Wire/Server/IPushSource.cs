namespace Larder.Wire;

/// <summary>What one <see cref="PushStream"/> sends, asked for when its connection can take some.</summary>
public interface IPushSource
{
    /// <summary>
    /// Copies what is to be sent next: messages with their five bytes of header, one after another; a message may be begun here and go on with the next call.
    /// Called under the connection's lock, by whatever thread sends: it neither blocks nor calls the stream or its set.
    /// </summary>
    /// <param name="room">Where to; 1 byte or more.</param>
    /// <returns>Bytes copied; fewer than the room: there is no more until the stream is signalled.</returns>
    int Read(Span<byte> room);

    /// <summary>
    /// The stream is over, and nothing more is asked for: before the next call of its connection begins, where its peer reset it. Called once, under the
    /// connection's lock, as <see cref="Read"/> is.
    /// </summary>
    void Closed()
    {
    }
}
