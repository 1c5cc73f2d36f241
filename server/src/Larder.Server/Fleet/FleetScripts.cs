using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The scripts that run on the nodes, each in a file of its own under <c>Scripts</c>: read once.</summary>
internal static class FleetScripts
{
    public static readonly RedisScript Increment = Load("increment");
    public static readonly RedisScript SetIf = Load("set-if");
    public static readonly RedisScript SetIfSame = Load("set-if-same");
    public static readonly RedisScript UpdateTtl = Load("update-ttl");

    private static RedisScript Load(string name)
    {
        using Stream text = typeof(FleetScripts).Assembly.GetManifestResourceStream($"{name}.lua")
            ?? throw new InvalidOperationException($"the script {name} is not in the program");
        using StreamReader reader = new(text);
        return new RedisScript(name, reader.ReadToEnd());
    }
}
