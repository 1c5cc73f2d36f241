namespace Larder.Server.Fleet;

/// <summary>A command that waits for its turn on a node.</summary>
internal interface IQueuedCommand
{
    /// <summary>Gets the effort of the command: light or heavy. It must not change while the command waits or runs.</summary>
    Effort Effort { get; }

    /// <summary>Gets the connection on which the command arrived. Commands with the same owner share a queue.</summary>
    object Owner { get; }

    /// <summary>Gets whether no client waits for the response any longer.</summary>
    bool IsGone { get; }

    /// <summary>
    /// Gets whether the command is a later step of its call. Such a command precedes the other commands of its owner, so that few calls are partly completed.
    /// </summary>
    bool IsContinued { get; }

    /// <summary>Gets the deadline, as a timestamp.</summary>
    long EndsAt { get; }

    /// <summary>Gets the number of bytes that the command occupies while it waits.</summary>
    int EncodedBytes { get; }
}
