namespace Larder.Redis;

/// <summary>The meaning of a reply on a follower's connection.</summary>
internal enum AnswerKind
{
    /// <summary>The reply contains data.</summary>
    Whole,

    /// <summary>There was no data.</summary>
    Nothing,

    /// <summary>Only this request failed.</summary>
    Failed,

    /// <summary>The slot is being moved. Missing data may be on the other node.</summary>
    Moving,

    /// <summary>The slot belongs to another node.</summary>
    Moved,
}
