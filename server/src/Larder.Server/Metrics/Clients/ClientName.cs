namespace Larder.Server.Metrics;

/// <summary>
/// The client of a connection, according to the metadata of the connection's first call. The name and the language contain only a limited number of plain
/// characters, whatever the client sent.
/// </summary>
/// <param name="Client">The name, such as <c>larder-node:0.1.0</c>; <c>unknown</c> if the client sent no name.</param>
/// <param name="Language">The language, such as <c>Node</c>; empty if unknown.</param>
internal readonly record struct ClientName(string Client, string Language)
{
    private const int MaxCharacters = 48;

    // The words that identify a language in the agent names of cache clients and gRPC libraries.
    private static readonly (string Word, string Language)[] s_languages =
    [
        ("dotnet", ".NET"), ("node", "Node"), ("nodejs", "Node"), ("javascript", "JavaScript"), ("web", "JavaScript"), ("python", "Python"),
        ("java", "Java"), ("kotlin", "Kotlin"), ("go", "Go"), ("rust", "Rust"), ("tonic", "Rust"), ("php", "PHP"), ("ruby", "Ruby"), ("swift", "Swift"),
        ("dart", "Dart"), ("elixir", "Elixir"), ("c++", "C++"),
    ];

    /// <param name="agent">The <c>agent</c> metadata; may be empty.</param>
    /// <param name="userAgent">The <c>user-agent</c> metadata; may be empty.</param>
    public static ClientName Of(string agent, string userAgent)
    {
        string client = Clean(agent.Length > 0 ? agent : userAgent);
        string[] words = client.ToLowerInvariant().Split([':', '/', '-', '_', '.']);
        return new ClientName(client, s_languages.FirstOrDefault(pair => words.Contains(pair.Word)).Language ?? "");
    }

    // Returns only the first product name. It ends before the first character that a product name cannot contain.
    private static string Clean(string given)
    {
        int length = 0;
        while (length < Math.Min(given.Length, MaxCharacters) && (char.IsAsciiLetterOrDigit(given[length]) || ":/-_.+".Contains(given[length])))
        {
            length++;
        }

        return length == 0 ? "unknown" : given[..length];
    }
}
