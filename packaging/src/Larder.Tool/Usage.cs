namespace Larder.Tool;

/// <summary>The output of <c>larder help</c>.</summary>
internal static class Usage
{
    public const string Text = """
        larder: one cache, from a file to a fleet                    larder COMMAND --help lists the options of a command

        Run a cache
          quickstart            start a server, store a few values, measure it and show what to do next
          serve                 run a cache server
          token                 create, check and list tokens for larder serve --tokens FILE
        Use a cache
          get  set  delete  increment  ttl  expire  type           items
          dict  list  sets  zset  items                            dictionaries, lists, sets, sorted sets
          publish  subscribe                                       topics
          caches  scan  import  export  shell  completions         caches, keys, bulk data, interactive use
          ping  stats  stat  monitor  snapshot                     state of the server
          file                  check, compact, export and import a file cache
        Tune and measure
          tune                  find the best concurrency for a latency target: --target p999=5ms
          bench                 measure the .NET client against a server
        Other
          help  --version

        The repository's ./larder also measures the Python and Node clients, starts fleets and runs the tests.
        """;
}
