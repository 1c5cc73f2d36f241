namespace Larder.Redis;

/// <summary>The node refuses our name, password or permission.</summary>
internal sealed class RefusedException(string message) : Exception(message);
