namespace Larder.Tool;

/// <summary>The parts of <c>larder help</c> that the .NET tool and the native program have in common.</summary>
internal static class CommandList
{
    public const string Title = "larder: one cache, from a file to a fleet                    larder COMMAND --help lists the options of a command";

    public const string Serve = """
          serve                 run a cache server
          doctor                check this machine and the settings of a server, with a fix for each problem
          token                 create, check and list tokens for larder serve --tokens FILE
        """;

    public const string Use = """
        Use a cache
          get  set  delete  increment  ttl  expire  type           items
          dict  list  sets  zset  items                            dictionaries, lists, sets, sorted sets
          publish  subscribe                                       topics
          caches  scan  import  export  shell  completions         caches, keys, bulk data, interactive use
          ping  stats  stat  monitor  snapshot                     state of the server
          file                  check, compact, export and import a file cache
        """;
}
