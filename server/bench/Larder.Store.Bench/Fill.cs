namespace Larder.Store.Bench;

internal static class Fill
{
    public static void Entries(IFilled store, int entries, int valueBytes)
    {
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[valueBytes];
        for (int i = 0; i < entries; i++)
        {
            StoreContender.FormatKey(i, key);
            store.Set(key, value);
        }
    }
}
