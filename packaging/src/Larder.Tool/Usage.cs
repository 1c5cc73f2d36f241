namespace Larder.Tool;

/// <summary>What <c>larder help</c> prints.</summary>
internal static class Usage
{
    public const string Text = """
        larder: one cache, from a file to a fleet

          larder quickstart            a server, a few values, a short sweep, and what to do next
          larder serve [options]       run a cache server (--help lists the options)
          larder token new|check|list|key  who may do what: tokens for larder serve --tokens FILE
          larder get|set|delete|increment|ttl|caches|stats …   talk to a server from the command line (each has --help)
          larder dict|list|sets|zset|items …                   dictionaries, lists, sets and sorted sets
          larder tune [options]        find the highest rate that keeps a target, and the cap for it: --target p999=5ms
          larder bench [options]       measure the .NET client against a server
          larder file show|check|compact|export|import …       look after a file cache
          larder --version

        Python's and Node's clients are measured, fleets started and tests run from the repository, by its ./larder.
        """;
}
