namespace Larder.Client.Adaptive;

/// <summary>The state of an <see cref="AdaptiveCap"/> relative to its target.</summary>
internal enum AdaptiveCapState
{
    /// <summary>In the last window, few enough calls exceeded the target, or no window has been judged yet.</summary>
    Steady,

    /// <summary>Too many calls exceed the target. The limit shrinks as long as this brings an improvement.</summary>
    Shrinking,

    /// <summary>Shrinking the limit brought no improvement. The state lasts until a window meets the target again.</summary>
    OutOfReach,
}
