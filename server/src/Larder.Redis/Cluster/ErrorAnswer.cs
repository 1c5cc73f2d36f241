namespace Larder.Redis;

/// <summary>How an error from the engine is handled.</summary>
internal enum ErrorAnswer
{
    /// <summary>The command fails.</summary>
    Fail,

    /// <summary>The command and later commands for that slot are sent to the node that the error names.</summary>
    FollowMoved,

    /// <summary>Only this command is sent to the node that the error names.</summary>
    FollowAsk,

    /// <summary>The command is retried after a wait.</summary>
    Retry,

    /// <summary>The command is retried after a wait, and the slot map is read again.</summary>
    RetryAndRefresh,

    /// <summary>The script is sent again with its source instead of its hash.</summary>
    SendScript,
}
