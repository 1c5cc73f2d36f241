namespace Larder.Redis;

/// <summary>The exception that is thrown when a node rejects the user name or password, or denies permission.</summary>
internal sealed class RefusedException(string message) : Exception(message);
