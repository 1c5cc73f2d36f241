namespace Larder.Native;

/// <summary>The output of <c>larder help</c>.</summary>
internal static class Usage
{
    public const string Text = """
        larder: one cache, from a file to a fleet                    larder COMMAND --help lists the options of a command

        Run a cache
          serve                 run a cache server
          token                 create, check and list tokens for larder serve --tokens FILE
        Use a cache
          get  set  delete  increment  ttl  expire  type           items
          dict  list  sets  zset  items                            dictionaries, lists, sets, sorted sets
          publish  subscribe                                       topics
          caches  scan  import  export  shell  completions         caches, keys, bulk data, interactive use
          ping  stats  stat  monitor  snapshot                     state of the server
          file                  check, compact, export and import a file cache
        Other
          help  --version

        The .NET tool larder also has tune, bench and quickstart. Larder's repository has them as ./larder tune.
        """;

    /// <summary>Returns the error for a command that only the .NET tool has.</summary>
    public static string Missing(string command) =>
        $"error: the native program has no '{command}'; install the .NET tool larder, or run ./larder {command} in Larder's repository.";
}
