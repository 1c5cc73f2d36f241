namespace Larder.Client.Topics;

/// <summary>There is no token to send to a server.</summary>
internal sealed class NoTokenException(NoToken missing) : Exception(missing.Message, missing.Exception);
