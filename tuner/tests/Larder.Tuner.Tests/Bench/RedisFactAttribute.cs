namespace Larder.Tuner.Tests.Bench;

/// <summary>A test that needs <c>redis-server</c>. It is skipped with a message if the program is not installed.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RedisFactAttribute : FactAttribute
{
    public RedisFactAttribute()
    {
        string[] folders = Environment.GetEnvironmentVariable("PATH")?.Split(Path.PathSeparator) ?? [];
        if (!folders.Any(folder => File.Exists(Path.Combine(folder, "redis-server"))))
        {
            Skip = "redis-server is not installed";
        }
    }
}
