namespace Larder.Redis;

/// <summary>A notice for the operator.</summary>
/// <param name="IsWarning">True for a problem, false for information.</param>
/// <param name="Message">One sentence. If a setting must be changed, the sentence names the setting where possible. It never contains a password.</param>
public sealed record RedisNotice(bool IsWarning, string Message);
