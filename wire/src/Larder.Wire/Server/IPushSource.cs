namespace Larder.Wire;

/// <summary>The source of the data that one <see cref="PushStream"/> sends. It must not call its stream, or a set that contains the stream.</summary>
public interface IPushSource : IOutputSource
{
    /// <summary>
    /// Called once when the stream has ended and the source is no longer read, under the connection's lock like <see cref="IOutputSource.Read"/>. If
    /// the client reset the stream, the call comes before the next call of the connection starts.
    /// </summary>
    void Closed()
    {
    }
}
