namespace Larder.Redis;

/// <summary>Something that an operator should know.</summary>
/// <param name="IsWarning">Whether something is wrong; otherwise it is news.</param>
/// <param name="Message">One sentence, with what to set where that is known. Never a password.</param>
public sealed record RedisNotice(bool IsWarning, string Message);
