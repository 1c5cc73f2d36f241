namespace Larder.Client.Topics;

/// <summary>Thrown if the token provider has not provided a token for a subscription.</summary>
internal sealed class NoTokenException(NoToken missing) : Exception(missing.Message, missing.Exception);
