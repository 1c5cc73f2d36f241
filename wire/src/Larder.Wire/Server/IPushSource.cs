namespace Larder.Wire;

/// <summary>The source of the data that one <see cref="PushStream"/> sends. A source must not call its stream, or a set that contains the stream.</summary>
public interface IPushSource : IOutputSource
{
    /// <summary>
    /// Handles the end of the stream, after which the source is no longer read. Called once, under the connection's lock like <see cref="IOutputSource.Read"/>.
    /// If the client has reset the stream, this method is called before the next call on the connection starts.
    /// </summary>
    void Closed()
    {
    }
}
