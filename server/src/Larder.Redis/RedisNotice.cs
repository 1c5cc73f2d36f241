namespace Larder.Redis;

/// <summary>A notice for the operator.</summary>
/// <param name="IsWarning">True for a problem, false for information.</param>
/// <param name="Message">One sentence. It names the setting to change if this is known. It never contains a password.</param>
public sealed record RedisNotice(bool IsWarning, string Message);
