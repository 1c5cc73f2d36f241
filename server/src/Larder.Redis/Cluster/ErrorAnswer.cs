namespace Larder.Redis;

/// <summary>What is done about an error of the engine.</summary>
internal enum ErrorAnswer
{
    /// <summary>The command ends.</summary>
    Fail,

    /// <summary>The command is sent where the error says, and so are those of that slot from now on.</summary>
    FollowMoved,

    /// <summary>The command is sent where the error says, this once.</summary>
    FollowAsk,

    /// <summary>The command is sent again in a while.</summary>
    Retry,

    /// <summary>The command is sent again in a while, and the slot map is read.</summary>
    RetryAndRefresh,

    /// <summary>The script is sent in full.</summary>
    SendScript,
}
