namespace Larder.Wire;

/// <summary>What one <see cref="PushStream"/> sends. It calls neither its stream nor a set that this is in.</summary>
public interface IPushSource : IOutputSource
{
    /// <summary>
    /// The stream is over, and nothing more is asked for: before the next call of its connection begins, where its peer reset it. Called once, under the
    /// connection's lock, as <see cref="IOutputSource.Read"/> is.
    /// </summary>
    void Closed()
    {
    }
}
