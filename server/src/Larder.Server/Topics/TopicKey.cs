namespace Larder.Server.Topics;

/// <summary>Which topic: its cache, and its name there.</summary>
internal readonly record struct TopicKey(string Cache, string Topic)
{
    /// <summary>The longest name of a topic in characters. Four bytes each, it is still far below a request.</summary>
    public const int MaxCharacters = 1_024;
}
