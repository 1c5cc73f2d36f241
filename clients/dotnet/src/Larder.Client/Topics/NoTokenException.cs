namespace Larder.Client.Topics;

/// <summary>There is no token to show a server.</summary>
internal sealed class NoTokenException(NoToken missing) : Exception(missing.Message, missing.Exception);
