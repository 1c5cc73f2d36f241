namespace Larder.Redis;

/// <summary>What an answer on a follower's connection means for the connection.</summary>
internal enum AnswerKind
{
    /// <summary>It brought something.</summary>
    Whole,

    /// <summary>There was nothing to bring.</summary>
    Nothing,

    /// <summary>It failed for what was asked alone.</summary>
    Failed,

    /// <summary>The slot is being moved: what is not here may be there.</summary>
    Moving,

    /// <summary>The slot is another node's.</summary>
    Moved,
}
