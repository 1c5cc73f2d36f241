namespace Larder.Client.Adaptive;

/// <summary>The state of an <see cref="AdaptiveCap"/> relative to its target.</summary>
internal enum AdaptiveCapState
{
    /// <summary>The last window was within the budget, or no window has been judged yet.</summary>
    Steady,

    /// <summary>Windows exceed the budget, and the limit shrinks as long as that helps.</summary>
    Shrinking,

    /// <summary>Shrinking did not help: the target is out of reach until a window is within the budget again.</summary>
    OutOfReach,
}
