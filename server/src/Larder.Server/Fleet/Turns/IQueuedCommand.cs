namespace Larder.Server.Fleet;

/// <summary>A command that waits for its turn on a node.</summary>
internal interface IQueuedCommand
{
    /// <summary>The command's effort: light or heavy. It must not change while the command waits or runs.</summary>
    Effort Effort { get; }

    /// <summary>The connection that the command came on. Commands with the same owner share a queue.</summary>
    object Owner { get; }

    /// <summary>Whether no client waits for the response any more.</summary>
    bool IsGone { get; }

    /// <summary>Whether the command is a later step of its call. It then precedes the owner's other calls, so that few calls are half done.</summary>
    bool IsContinued { get; }

    /// <summary>The deadline, as a timestamp.</summary>
    long EndsAt { get; }

    /// <summary>The bytes that the command occupies while it waits.</summary>
    int EncodedBytes { get; }
}
