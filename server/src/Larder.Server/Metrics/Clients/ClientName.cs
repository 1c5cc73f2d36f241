namespace Larder.Server.Metrics;

/// <summary>Who a connection's first call says that it comes from: plain characters, and few of them, whatever was sent.</summary>
/// <param name="Client">As <c>larder-node:0.1.0</c>; <c>unknown</c> where nothing was said.</param>
/// <param name="Language">As <c>Node</c>; empty where it cannot be told.</param>
internal readonly record struct ClientName(string Client, string Language)
{
    private const int MaxCharacters = 48;

    // What the agents of caches' clients and of gRPC's libraries contain, as a word of its own.
    private static readonly (string Word, string Language)[] s_languages =
    [
        ("dotnet", ".NET"), ("node", "Node"), ("nodejs", "Node"), ("javascript", "JavaScript"), ("web", "JavaScript"), ("python", "Python"),
        ("java", "Java"), ("kotlin", "Kotlin"), ("go", "Go"), ("rust", "Rust"), ("tonic", "Rust"), ("php", "PHP"), ("ruby", "Ruby"), ("swift", "Swift"),
        ("dart", "Dart"), ("elixir", "Elixir"), ("c++", "C++"),
    ];

    /// <param name="agent">The <c>agent</c> metadata; may be empty.</param>
    /// <param name="userAgent">The <c>user-agent</c>; may be empty.</param>
    public static ClientName Of(string agent, string userAgent)
    {
        string client = Clean(agent.Length > 0 ? agent : userAgent);
        string[] words = client.ToLowerInvariant().Split([':', '/', '-', '_', '.']);
        return new ClientName(client, s_languages.FirstOrDefault(pair => words.Contains(pair.Word)).Language ?? "");
    }

    // The first product alone, up to the first character that no product's name has.
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
