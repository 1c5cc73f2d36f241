namespace Larder.Server.Fleet;

/// <summary>A command that waits for its turn on a node.</summary>
internal interface ITurnTaker
{
    /// <summary>How much of the node's time it takes: not <see cref="Effort.Small"/>. Does not change while it waits or is under way.</summary>
    Effort Effort { get; }

    /// <summary>Who shares one queue: the connection that it came on.</summary>
    object Owner { get; }

    /// <summary>Whether nobody waits for its answer any more.</summary>
    bool IsGone { get; }

    /// <summary>Whether it is a later step of its call: it goes before the owner's other calls, so that few calls are half done.</summary>
    bool IsContinued { get; }

    /// <summary>When it ends at the latest: a timestamp.</summary>
    long EndsAt { get; }

    /// <summary>Bytes that it holds while it waits.</summary>
    int EncodedBytes { get; }
}
