namespace Larder.Client.Adaptive;

/// <summary>What an <see cref="AdaptiveCap"/> knows of its target.</summary>
internal enum AdaptiveCapState
{
    /// <summary>The last window was within the budget, or none was judged yet.</summary>
    Steady,

    /// <summary>Windows are over the budget, and the cap shrinks as long as that helps.</summary>
    Shrinking,

    /// <summary>Shrinking did not help: the target is out of reach, until a window is within the budget again.</summary>
    OutOfReach,
}
