namespace Larder.Server.Tests.Faults;

/// <summary>A test that changes the wall clock of a process with libfaketime. It is skipped if the library is not installed.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FakeTimeFactAttribute : FactAttribute
{
    private static readonly string[] Places =
    [
        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib/faketime/libfaketimeMT.so.1",
    ];

    public FakeTimeFactAttribute()
    {
        if (Library is null)
        {
            Skip = "The wall clock is moved by libfaketime, which is not installed.";
        }
    }

    /// <summary>The path of the library; null if it is not installed.</summary>
    public static string? Library => Places.FirstOrDefault(File.Exists);
}
